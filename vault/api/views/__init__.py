"""One view a resource: each takes the scope, calls one service, and renders what came of it."""
