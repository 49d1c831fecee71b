import { connect } from 'node:net'

const HEADER_END = Buffer.from('\r\n\r\n')

/**
 * Keeps `connections` sockets busy for `ms`, one request after another on each, and counts answers.
 * Plain sockets, because a full HTTP client would be the bottleneck of the measurement.
 * `first` is the body that each begins with; `next(answer)` makes the one that follows an answer.
 */
export async function load({ port, path, connections, ms, first, next }) {
  const until = performance.now() + ms
  const started = performance.now()
  const counts = await Promise.all(
    Array.from({ length: connections }, () => drive({ port, path, until, first, next })),
  )
  const seconds = (performance.now() - started) / 1000
  return { count: counts.reduce((sum, count) => sum + count, 0), seconds }
}

function drive({ port, path, until, first, next }) {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    let received = Buffer.alloc(0)
    let count = 0
    const send = body => socket.write(request(path, body))
    socket.on('error', reject)
    socket.on('connect', () => send(first))
    socket.on('data', chunk => {
      received = received.length > 0 ? Buffer.concat([received, chunk]) : chunk
      const answer = readAnswer(received)
      if (!answer) return
      received = received.subarray(answer.length)
      if (answer.status !== 200) {
        reject(new Error(`${path} answered ${answer.status}: ${answer.body}`))
        socket.destroy()
        return
      }
      count++
      if (performance.now() < until) send(next(answer.body))
      else {
        socket.end()
        resolve(count)
      }
    })
  })
}

function request(path, body) {
  const head = `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n`
  return `${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
}

function readAnswer(buffer) {
  const headEnd = buffer.indexOf(HEADER_END)
  if (headEnd < 0) return undefined
  const head = buffer.toString('latin1', 0, headEnd)
  const size = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
  const length = headEnd + 4 + size
  if (buffer.length < length) return undefined
  return {
    status: Number(head.slice(9, 12)),
    body: buffer.toString('utf8', headEnd + 4, length),
    length,
  }
}
