// What the rest of the package uses; what users import is in `public.ts`.
export { networkOf, useClientAddress } from './client-address'
export { isSupportedEncoding } from './content-encoding'
export { closeAfter, whenServerCloses } from './server-closer'
export { HttpMethod } from './decorators/http-method.decorator'
