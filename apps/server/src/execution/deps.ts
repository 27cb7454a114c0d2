import type { ModelWindows } from '@beadloom/core/context/model-windows.ts'
import type { OwnPrices } from '@beadloom/core/budget/model-prices.ts'
import type { Aside } from '../ports/aside.ts'
import type { OpenedTools } from '@beadloom/core/gateway/hosted-tools.ts'
import type { BudgetWatch } from '../ports/budget.ts'
import type { Egress } from '../ports/egress.ts'
import type { Engine } from '../ports/engine.ts'
import type { Engines } from '../ports/engines.ts'
import type { Gateway } from '../ports/gateway.ts'
import type { Hub } from '../ports/hub.ts'
import type { LogReader } from '../ports/logs.ts'
import type { Recorder } from '../ports/recorder.ts'
import type { PatientStore } from '../ports/store/patient.ts'
import type { ExtraSlots } from './extra-slots.ts'
import type { LentSlots } from './lent-slots.ts'
import type { News } from './news.ts'
import type { MergeTurns } from './merge-turns.ts'
import type { WarmSandboxes } from './warm-sandboxes.ts'
import type { Clock } from '../process/clock.ts'
import type { Secrets } from '../process/secret-file.ts'
import type { Logger } from '../process/logger.ts'

/** With the engine that has the execution's sandboxes. */
export type ExecutionDeps = CommonDeps & { engine: Engine }

/** The server's parts that executions work with. */
export type CommonDeps = {
  store: PatientStore
  engines: Engines
  hub: Hub
  gateway: Gateway
  egress: Egress
  aside: Aside
  recorder: Recorder
  logs: LogReader
  clock: Clock
  log: Logger
  /** The server's own prices, which override the list. */
  prices: OwnPrices
  /** The windows of models, beside the known ones. */
  windows: ModelWindows
  /** Tools of models' endpoints that `config.json` opens. */
  hostedTools: OpenedTools
  /** The longest time for which an agent may stay after it has said BLOCKED, without further work. */
  blockedGraceMs: number
  secrets: Pick<Secrets, 'of'>
  /** Sixteen digits by which this server recognizes a text, and from which nobody can find it out. */
  secretMark: (text: string) => string
  budget: BudgetWatch
  extraSlots: ExtraSlots
  lentSlots: LentSlots
  /** A person has answered an execution that waits. */
  holdNews: News
  mergeTurns: MergeTurns
  warm: WarmSandboxes
}
