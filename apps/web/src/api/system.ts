import type { SystemView } from '@beadloom/core/api/system-api.ts'
import { call } from './client.ts'

export const getSystem = (signal: AbortSignal) => call<SystemView>('/api/system', { signal })
