import { LOCAL_ENGINE } from '@beadloom/core/records/engine-name.ts'
import type { Execution } from '@beadloom/core/records/execution.ts'
import type { CommonDeps, ExecutionDeps } from './deps.ts'

/** The parts with one of the engines. */
export const onEngine = (deps: CommonDeps, name: string): ExecutionDeps => ({
  ...deps,
  engine: deps.engines.of(name),
})

/** The engine that an execution was started on; an execution that has not started has no sandbox anywhere. */
export const engineOf = ({ store }: Pick<CommonDeps, 'store'>, { id }: Pick<Execution, 'id'>): string =>
  store.startedSettings(id)?.engine ?? LOCAL_ENGINE
