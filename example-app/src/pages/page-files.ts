import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { extname, join, relative, sep } from 'node:path'
import { isPagePath } from '../../web/router/page-paths'
import { compress, type Encoding } from './encodings'

/** A file as it is sent. */
export interface PageFile {
  readonly type: string
  readonly caching: string
  /** Names this content. */
  readonly digest: string
  readonly content: Buffer
  /** The same content, made smaller; for files that are text. */
  readonly encoded: ReadonlyMap<Encoding, Buffer>
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
}

/** What is small already becomes no smaller. */
const IS_TEXT = /^(?:text\/|application\/json|image\/svg)/u

const INDEX = '/index.html'

/**
 * The built pages, read once and kept: no path that a client makes up leads out of their folder, and
 * no page waits for the threads that hash passwords.
 */
export class PageFiles {
  readonly #files: ReadonlyMap<string, PageFile>

  constructor(folder: string) {
    this.#files = new Map(
      listFiles(folder).map(file => {
        const url = urlOf(folder, file)
        return [url, readPage(file, url)]
      }),
    )
  }

  /** What is at a path: a file, the application for a page of it, or nothing. */
  find(path: string): PageFile | undefined {
    if (path === INDEX || isPagePath(path)) return this.application()
    return this.#files.get(path)
  }

  /** The page that all pages are in, also the one that says that there is no such page. */
  application(): PageFile | undefined {
    return this.#files.get(INDEX)
  }
}

function readPage(file: string, url: string): PageFile {
  const type = TYPES[extname(file)] ?? 'application/octet-stream'
  const content = readFileSync(file)
  return {
    type,
    caching: cachingOf(url),
    digest: createHash('sha256').update(content).digest('base64url').slice(0, 22),
    content,
    encoded: IS_TEXT.test(type) ? compress(content) : new Map(),
  }
}

function listFiles(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile())
      .map(entry => join(entry.parentPath, entry.name))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

const urlOf = (folder: string, file: string) => `/${relative(folder, file).split(sep).join('/')}`

/** Files in `assets` have a hash in their name; pages take tokens in their address. */
function cachingOf(url: string): string {
  if (url.startsWith('/assets/')) return 'public, max-age=31536000, immutable'
  return url.endsWith('.html') ? 'no-store' : 'no-cache'
}
