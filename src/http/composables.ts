import * as http from '@wooksjs/event-http'
import { useBody as bodyOf } from '@wooksjs/http-body'
import { inRequest } from './in-request'

// Those of Wooks, with a sentence for where there is no request.
export const useAccept = inRequest('useAccept', http.useAccept)
export const useAuthorization = inRequest('useAuthorization', http.useAuthorization)
export const useBody = inRequest('useBody', bodyOf)
export const useCookies = inRequest('useCookies', http.useCookies)
export const useHeaders = inRequest('useHeaders', http.useHeaders)
export const useRequest = inRequest('useRequest', http.useRequest)
export const useResponse = inRequest('useResponse', http.useResponse)
export const useUrlParams = inRequest('useUrlParams', http.useUrlParams)
