import { readdirSync, readFileSync } from 'node:fs'
import { extname, join, relative, sep } from 'node:path'

/** A file as it is sent. */
export interface PageFile {
  readonly type: string
  readonly caching: string
  readonly content: Buffer
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

  /** What is at a path: a file, the application for what looks like a page, or nothing. */
  find(path: string): PageFile | undefined {
    const url = this.#files.has(path) && path !== INDEX ? path : isPage(path) ? INDEX : undefined
    return url === undefined ? undefined : this.#files.get(url)
  }
}

function readPage(file: string, url: string): PageFile {
  return {
    type: TYPES[extname(file)] ?? 'application/octet-stream',
    caching: cachingOf(url),
    content: readFileSync(file),
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

/** A path of plain words, such as `/sign-in`. Whether there is such a page, the application knows. */
const isPage = (path: string) => path === INDEX || /^\/(?:[\w-]+(?:\/[\w-]+)*\/?)?$/u.test(path)

/** Files in `assets` have a hash in their name; pages take tokens in their address. */
function cachingOf(url: string): string {
  if (url.startsWith('/assets/')) return 'public, max-age=31536000, immutable'
  return url.endsWith('.html') ? 'no-store' : 'no-cache'
}
