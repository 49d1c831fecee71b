import { build } from './build'
import { readLocalSettings } from './local-settings'

await build(readLocalSettings(process.env).outDir)
