import { createHmac, randomInt, randomUUID, timingSafeEqual } from 'node:crypto'
import type { WfLedger } from '@atscript/moost-wf/store'

const KIND = 'mailed-code'
const LIFETIME_MS = 10 * 60_000

/** Codes that are sent by mail. The newest one of an account works, once, for ten minutes. */
export class MailedCodes {
  constructor(
    private readonly ledger: WfLedger,
    /** Six digits are soon guessed from a bare hash. */
    private readonly secret: string,
  ) {}

  async make(userId: string): Promise<string> {
    const code = String(randomInt(1_000_000)).padStart(6, '0')
    const id = randomUUID()
    const note = `${id}.${this.#seal(id, code)}`
    await this.ledger.put(KIND, userId, note, Date.now() + LIFETIME_MS)
    return code
  }

  /** Whether it is the code that was sent last, which is used up then. */
  async use(userId: string, code: string): Promise<boolean> {
    const [id, sealed] = (await this.ledger.get(KIND, userId))?.data?.split('.') ?? []
    if (!id || !sealed) return false
    const isRight = timingSafeEqual(Buffer.from(this.#seal(id, code)), Buffer.from(sealed))
    return isRight && this.ledger.spend(`${KIND}-used`, id, Date.now() + LIFETIME_MS)
  }

  #seal(id: string, code: string): string {
    return createHmac('sha256', this.secret).update(`${id}:${code}`).digest('hex')
  }
}
