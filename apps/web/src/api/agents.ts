import type { AgentView } from '@beadloom/core/api/agents-api.ts'
import { call } from './client.ts'

export const getAgents = (signal: AbortSignal) => call<{ items: AgentView[] }>('/api/agents', { signal })
