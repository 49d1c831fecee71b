export { HttpError } from '@wooksjs/event-http'
export {
  useAccept,
  useAuthorization,
  useBody,
  useCookies,
  useHeaders,
  useRequest,
  useResponse,
  useUrlParams,
} from './composables'
export { type ClientAddressOptions, networkOf, useClientAddress } from './client-address'
export {
  All,
  Delete,
  Get,
  Head,
  HttpMethod,
  Patch,
  Post,
  Put,
} from './decorators/http-method.decorator'
export {
  Authorization,
  Body,
  Cookie,
  Header,
  Ip,
  Method,
  Query,
  RawBody,
  Req,
  ReqId,
  Url,
} from './decorators/request.decorator'
export {
  BodySizeLimit,
  Res,
  SetCookie,
  SetHeader,
  SetStatus,
} from './decorators/response.decorator'
export type { FetchOptions } from './fetch/answer-fetch'
export { MoostHttp } from './moost-http'
