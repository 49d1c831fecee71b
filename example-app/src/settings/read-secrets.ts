import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { EncapsulatedStateStrategy } from '@atscript/moost-wf'

const FILE = 'wf-secret'
const MAKE_ONE = `node -e "console.log(crypto.randomBytes(32).toString('base64url'))"`

/**
 * The secrets that seal tokens: from the environment, or one that is made on the first start and kept
 * in the data folder, for nobody else to read.
 *
 * @throws Error with a sentence that says what to do, and no secret in it
 */
export function readSecrets(text: string | undefined, dataDir: string): readonly string[] {
  const file = join(dataDir, FILE)
  const secrets = (text || keptSecret(file)).split(',').map(secret => secret.trim())
  try {
    // The strategy knows what a secret looks like.
    void new EncapsulatedStateStrategy({ secret: secrets })
    return secrets
  } catch {
    const what = text ? 'WF_SECRET is' : `The secret in "${file}" is`
    const remedy = text
      ? `set it to what this prints: ${MAKE_ONE}`
      : 'delete that file, and a new one is made'
    throw new Error(`${what} not 64 hex characters nor 43 of base64; ${remedy}`)
  }
}

function keptSecret(file: string): string {
  try {
    // Fails if the file is there: of several first starts at once, one makes it.
    writeFileSync(file, `${randomBytes(32).toString('base64url')}\n`, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'EEXIST') {
      throw new Error(`"${file}" cannot be written (${code}); set DATA_DIR to a folder that can.`, {
        cause: error,
      })
    }
  }
  return readFileSync(file, 'utf8').trim()
}
