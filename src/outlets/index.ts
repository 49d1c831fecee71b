export { createEmailOutlet, type WfEmail } from './email-outlet'
export { createAsHttpOutlet, createHttpOutlet, type HttpOutletOptions } from './http-outlet'
export { outlet, outletEmail, outletHttp, type WfOutletPause } from './outlet'
export type { WfLinkPolicy, WfOutlet, WfOutletRequest, WfOutletResult } from './wf-outlet'
