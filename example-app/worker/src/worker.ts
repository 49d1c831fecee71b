import { env } from 'cloudflare:workers'
import { startWorker } from './start-worker'

// Here and not at the first request: routes and conditions become code, which Workers allow only now.
export default await startWorker(env)
