import {
  Ban,
  Circle,
  CircleCheck,
  CircleDashed,
  CirclePause,
  CircleX,
  LoaderCircle,
  MessageCircleQuestion,
  OctagonPause,
  TimerOff,
} from 'lucide-react'
import type { LucideIcon } from 'lucide-react'
import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import type { BeadStatus } from '@beadloom/core/records/bead.ts'
import type { ExecutionState } from '@beadloom/core/records/execution.ts'
import type { StageState } from '@beadloom/core/views/pipeline.ts'
import type { SessionOutcome } from '@beadloom/core/records/session.ts'
import type { Lane } from '@beadloom/core/board/board-card.ts'

export type Mark = { word: string; icon: LucideIcon; tone: Tone; text: string }
export type Tone = 'queued' | 'running' | 'completed' | 'failed' | 'blocked' | 'timeout' | 'review'

/** Shape, word and colour of each state, always shown together. A new state gets all three here. */
export const marks: Record<Lane | 'cancelled', Mark> = {
  queued: { word: 'Queued', icon: CircleDashed, tone: 'queued', text: '○' },
  running: { word: 'Running', icon: LoaderCircle, tone: 'running', text: '◐' },
  blocked: { word: 'Blocked', icon: OctagonPause, tone: 'blocked', text: '⏸' },
  failed: { word: 'Failed', icon: CircleX, tone: 'failed', text: '✕' },
  timeout: { word: 'Timeout', icon: TimerOff, tone: 'timeout', text: '⏱' },
  open: { word: 'Open', icon: Circle, tone: 'queued', text: '·' },
  completed: { word: 'Completed', icon: CircleCheck, tone: 'completed', text: '✓' },
  cancelled: { word: 'Cancelled', icon: Ban, tone: 'queued', text: '⊘' },
}

export const laneOfExecution: Record<ExecutionState, Lane | 'cancelled'> = {
  QUEUED: 'queued',
  RUNNING: 'running',
  COMPLETED: 'completed',
  FAILED: 'failed',
  BLOCKED: 'blocked',
  TIMEOUT: 'timeout',
  CANCELLED: 'cancelled',
}

/** For an execution that a person has paused: nothing of it moves. */
export const pausedMark: Mark = { word: 'Paused', icon: CirclePause, tone: 'blocked', text: '‖' }

/** For an execution whose agent has a question. */
export const askingMark: Mark = { word: 'Asks you', icon: MessageCircleQuestion, tone: 'blocked', text: '?' }

/** The mark of an execution, and whether it moves. */
export const executionMark = ({
  state,
  waits,
}: Pick<ExecutionView, 'state' | 'waits'>): { mark: Mark; live: boolean } =>
  waits?.kind === 'pause' && !waits.resumed
    ? { mark: waits.question === undefined ? pausedMark : askingMark, live: false }
    : { mark: marks[laneOfExecution[state]], live: state === 'RUNNING' }

export const laneOfStatus: Record<BeadStatus, Lane> = {
  open: 'open',
  in_progress: 'running',
  blocked: 'blocked',
  timeout: 'timeout',
  done: 'completed',
}

/** For a review that said no. */
export const rejectedMark: Mark = { ...marks.failed, word: 'Rejected' }

export const outcomeMark: Record<SessionOutcome, Mark> = {
  success: { ...marks.completed, word: 'succeeded' },
  failed: { ...marks.failed, word: 'failed' },
  timeout: { ...marks.timeout, word: 'timed out' },
  turn_limit: { ...marks.timeout, word: 'step limit reached' },
  blocked: { ...marks.blocked, word: 'blocked' },
  cancelled: { ...marks.cancelled, word: 'cancelled' },
  infra_error: { ...marks.failed, word: 'infrastructure error' },
}

/** For the stages of the pipeline. */
export const stageMarks: Record<StageState, Mark> = {
  todo: { ...marks.queued, word: 'to come' },
  waiting: { ...marks.blocked, word: 'waiting' },
  running: marks.running,
  done: { ...marks.completed, word: 'done' },
  failed: marks.failed,
  blocked: marks.blocked,
  timeout: marks.timeout,
  cancelled: marks.cancelled,
}
