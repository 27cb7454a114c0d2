import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import { pipelineOf, stageText } from '@beadloom/core/views/pipeline.ts'
import css from './card-stages.module.css'
import { stageMarks } from '../../../components/bead/states.ts'
import tones from '../../../components/bead/tones.module.css'

/**
 * The present attempt's pipeline, small: a bar per stage, the current one in words. Nothing for a plan: phases say it.
 */
export function CardStages({ execution }: { execution: ExecutionView }) {
  const text = execution.planVersion === undefined && execution.kind === 'work' ? stageText(execution) : null
  const stages = pipelineOf(execution).at(-1)?.stages ?? []
  if (text === null) return null
  return (
    <span className={css['stages']} title={text}>
      {stages
        .filter(({ name }) => name !== 'setup' && name !== 'service' && name !== 'save')
        .slice(-6)
        .map(({ state }, index) => (
          <span key={index} className={`${css[state] ?? css['bar']} ${tones[stageMarks[state].tone]}`} aria-hidden />
        ))}
      {execution.attempt > 1 && (
        <span className={css['words']} aria-hidden>
          {execution.attempt}/{execution.maxAttempts}
        </span>
      )}
      <span className="visually-hidden">{text}</span>
    </span>
  )
}
