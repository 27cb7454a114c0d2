import type { FactsProps } from './facts-props.ts'
import css from './item-facts.module.css'
import { PhaseFacts } from './phase-facts.tsx'
import { keyOfPhase, phaseOfKey, planRows } from './plan-rows.ts'
import { StepFacts, SubtaskFacts } from './subtask-facts.tsx'

/** Everything about the selected row of the tree. */
export function ItemFacts({ of, ...props }: FactsProps & { of: string }) {
  const phase = phaseOfKey(props.phases, of)
  const row = phase && planRows([phase], props.execution, () => true).find(({ key }) => key === of)
  if (!phase || !row) return null
  return (
    <section className={css['facts']} aria-label={row.is === 'phase' ? `Phase ${phase.number}` : 'Selected item'}>
      {row.is === 'phase' && <PhaseFacts key={keyOfPhase(phase)} phase={phase} {...props} />}
      {row.is === 'subtask' && <SubtaskFacts phase={phase} subtask={row.subtask} {...props} />}
      {row.is === 'step' && <StepFacts phase={phase} step={row.step} {...props} />}
    </section>
  )
}
