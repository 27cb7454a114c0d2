import type { AgentView } from '@beadloom/core/api/server/agents-api.ts'
import type { KeptContainer } from '@beadloom/core/api/executions/container-api.ts'
import { call } from './client.ts'
import type { SystemView } from '@beadloom/core/api/server/system-api.ts'

export const getAgents = (signal: AbortSignal) => call<{ items: AgentView[] }>('/api/agents', { signal })

export const getContainers = (signal: AbortSignal) => call<{ items: KeptContainer[] }>('/api/containers', { signal })

export const getSystem = (signal: AbortSignal) => call<SystemView>('/api/system', { signal })
