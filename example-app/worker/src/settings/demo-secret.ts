/** What the demo seals with. Everybody can read it here, so it is refused anywhere but on this machine. */
export const DEMO_SECRET = 'dGhlLWRlbW8tc2VjcmV0LXdoaWNoLWlzLW5vLXNlY3I'
