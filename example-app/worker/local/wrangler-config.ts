import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** What is used of `wrangler.jsonc`. */
export interface WranglerConfig {
  readonly name: string
  readonly main: string
  readonly build: { readonly command: string }
  readonly no_bundle: boolean
  readonly compatibility_date: string
  readonly compatibility_flags: readonly string[]
  readonly assets: {
    readonly directory: string
    readonly not_found_handling: 'single-page-application' | '404-page' | 'none'
    readonly run_worker_first: readonly string[]
  }
  readonly d1_databases: readonly {
    readonly binding: string
    readonly database_name: string
    readonly migrations_dir: string
  }[]
  readonly queues: {
    readonly producers: readonly { readonly binding: string; readonly queue: string }[]
    readonly consumers: readonly {
      readonly queue: string
      readonly max_batch_size: number
      readonly max_batch_timeout: number
      readonly max_retries: number
    }[]
  }
  readonly triggers: { readonly crons: readonly string[] }
  readonly vars: Readonly<Record<string, string>>
}

export const FOLDER = fileURLToPath(new URL('..', import.meta.url))

const TEXT_OR_COMMENT = /("(?:[^"\\]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//gu
const TEXT_OR_LAST_COMMA = /("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])/gu

/** The configuration that wrangler deploys by, so that what runs here is what runs there. */
export function readWranglerConfig(): WranglerConfig {
  const text = readFileSync(new URL('../wrangler.jsonc', import.meta.url), 'utf8')
  const keepTexts = (_: string, kept = ''): string => kept
  const json = text.replace(TEXT_OR_COMMENT, keepTexts).replace(TEXT_OR_LAST_COMMA, keepTexts)
  return JSON.parse(json) as WranglerConfig
}
