import type { AgentView } from '@beadloom/core/api/agents-api.ts'
import { call } from './client.ts'
import type { SystemView } from '@beadloom/core/api/system-api.ts'

export const getAgents = (signal: AbortSignal) => call<{ items: AgentView[] }>('/api/agents', { signal })

export const getSystem = (signal: AbortSignal) => call<SystemView>('/api/system', { signal })
