"""What script/attack is made of: a service, hostile clients, and a second client that measures what others feel."""
