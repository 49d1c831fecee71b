import { Get, Head, HttpError, useHeaders, useRequest, useResponse } from '@atscript/moost-wf/http'
import { Controller, Intercept } from 'moost'
import { JsonErrors } from '../api/json-errors'
import { PageFiles } from './page-files'
import { sendFile } from './send-file'

const NOT_FOUND = 404

/** Everything that is not `/api`. */
@Controller()
@Intercept(JsonErrors)
export class PagesController {
  constructor(private readonly files: PageFiles) {}

  @Get('')
  @Head('')
  @Get('*')
  @Head('*')
  page() {
    const [path = ''] = (useRequest().url ?? '').split('?')
    if (path === '/api' || path.startsWith('/api/')) throw nothingHere()
    const file = this.files.find(path)
    return file ? sendFile(file) : this.#missing()
  }

  /** People are shown a page that leads home; an image or a script that is missing needs none. */
  #missing() {
    const page = this.files.application()
    if (!page || !useHeaders().accept?.includes('text/html')) throw nothingHere()
    useResponse().setStatus(NOT_FOUND)
    useResponse().setHeaders({ 'content-type': page.type, 'cache-control': page.caching })
    return page.content
  }
}

const nothingHere = () => new HttpError(NOT_FOUND, 'There is nothing here.')
