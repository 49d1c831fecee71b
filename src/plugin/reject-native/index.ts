export {
  rejectNative,
  type RejectNativeForEsbuild,
  type RejectNativeForRolldown,
} from './reject-native'
