"""What each command does, a module for each kind of user; imported when it runs, so that help stays instant."""
