import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'

/** `1.2 tests failed`: attempt, run, name and result of each check, in their order. */
export const checkRows = ({ verifications }: ExecutionView): string[] =>
  verifications.map(({ attempt, run, name, passed }) => `${attempt}.${run} ${name} ${passed ? 'passed' : 'failed'}`)
