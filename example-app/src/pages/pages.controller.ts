import { Get, Head, HttpError, useRequest, useResponse } from '@atscript/moost-wf/http'
import { Controller } from 'moost'
import { PageFiles } from './page-files'

/** Everything that is not `/api`. */
@Controller()
export class PagesController {
  constructor(private readonly files: PageFiles) {}

  @Get('')
  @Head('')
  @Get('*')
  @Head('*')
  async page() {
    const [path = ''] = (useRequest().url ?? '').split('?')
    const file = path.startsWith('/api/') ? undefined : await this.files.find(path)
    if (!file) throw new HttpError(404, 'There is nothing here.')
    useResponse().setHeaders({ 'content-type': file.type, 'cache-control': file.caching })
    return file.content
  }
}
