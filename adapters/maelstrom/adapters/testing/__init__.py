"""What tests of an app that uses the engine need, and what our own use."""
