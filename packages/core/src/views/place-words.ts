import type { ExecutionPlace } from '../api/executions/execution-api.ts'

/** "node2 of cluster", or the engine alone if it is one machine. */
export const placeText = ({ engine, node }: ExecutionPlace): string => (node === null ? engine : `${node} of ${engine}`)
