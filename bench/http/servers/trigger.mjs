import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  defineOutletConfig,
  EncapsulatedStateStrategy,
  handleAsOutletRequest,
  HandleStateStrategy,
  WfStateStoreMemory,
} from '../../../dist/index.mjs'
import { openSqlite } from '../../../dist/db/sqlite/index.mjs'
import { AsWfStore } from '../../../dist/store/index.mjs'
import { StateRow } from '../../tables/state-row.mjs'
import { serveMoost } from './moost-app.mjs'

const strategies = {
  memory: () => new HandleStateStrategy({ store: new WfStateStoreMemory() }),
  token: () => new EncapsulatedStateStrategy({ secret: randomBytes(32) }),
  async sqlite() {
    const folder = mkdtempSync(join(tmpdir(), 'bench-http-'))
    process.on('exit', () => rmSync(folder, { recursive: true }))
    const space = openSqlite(join(folder, 'states.db'))
    const table = space.table(StateRow)
    await space.sync()
    return new HandleStateStrategy({ store: new AsWfStore({ table }) })
  },
}

const [, , where] = process.argv
const config = defineOutletConfig({ allow: ['bench/ask'], state: await strategies[where]() })
await serveMoost(wf => handleAsOutletRequest(config, wf))
