import { LateMarkdown } from '../../../components/markdown/late-markdown.tsx'
import type { BeadView } from '@beadloom/core/api/beads/bead-api.ts'
import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import { getRouteApi } from '@tanstack/react-router'
import { ItemFacts } from './item-facts.tsx'
import { PauseButton } from './pause-button.tsx'
import { PlanBar } from './plan-bar.tsx'
import css from './plan-body.module.css'
import { phaseOfKey, runningKey } from './plan-rows.ts'
import { PlanTree } from './plan-tree.tsx'
import { SwimLanes } from './swim-lanes.tsx'
import type { LivePlan } from './use-plan.ts'
import { Button } from '../../../ui/button.tsx'
import { ErrorBoundary } from '../../../ui/error-boundary.tsx'
import { shown } from '../../../ui/text/hostile-text.ts'
import { Loading } from '../../../ui/loading.tsx'

const route = getRouteApi('/p/$project/b/$bead')

type Props = {
  bead: BeadView
  live: Extract<LivePlan, { is: 'known' }>
  /** The newest work by any version of the plan. */
  last: ExecutionView | null
  planning: ExecutionView | null
  /** The reason why the bead cannot run now. */
  refusal: string | null
  onEdit: () => void
}

/** The tree of phases and subtasks with their proofs, the selected row's details, the lanes over time, and the text. */
export function PlanBody({ bead, live, last, planning, refusal, onEdit }: Props) {
  const { item } = route.useSearch()
  const navigate = route.useNavigate()
  const { plan, execution, phases, phasesError } = live
  const running = phases === null ? null : runningKey(phases, execution)
  const known = item !== undefined && phases !== null && phaseOfKey(phases, item) !== null
  const chosen = known ? item : running
  const choose = (key: string | null) =>
    void navigate({ search: (old) => ({ ...old, item: key ?? undefined }), replace: true })
  return (
    <div className={css['plan']}>
      <PlanBar bead={bead} plan={plan} execution={execution} last={last} planning={planning} onEdit={onEdit} />
      {phases === null ? (
        phasesError ? (
          <p role="alert">The phases could not be loaded. {shown(phasesError.message)}</p>
        ) : (
          <Loading what="the phases" />
        )
      ) : (
        <div className={css['halves']}>
          <section className={css['tree']} aria-labelledby="plan-phases">
            <header className={css['head']}>
              <h2 id="plan-phases">Phases</h2>
              <div className={css['buttons']}>
                {execution && <PauseButton execution={execution} />}
                {known && running !== null && item !== running && execution?.endedAt === null && (
                  <Button look="quiet" onClick={() => choose(null)}>
                    Follow what runs
                  </Button>
                )}
              </div>
            </header>
            {plan.phased || phases.length > 0 ? (
              <PlanTree plan={plan} phases={phases} execution={execution} chosen={chosen} onChoose={choose} />
            ) : (
              <p className={css['muted']}>One session does the whole bead: the plan has no subtasks.</p>
            )}
            {plan.warnings.map((one) => (
              <p key={one} className={css['muted']}>
                {shown(one)}
              </p>
            ))}
          </section>
          <div className={css['lanes']}>
            <SwimLanes phases={phases} execution={execution} bead={bead} chosen={chosen} />
          </div>
          <div className={css['side']}>
            {chosen !== null && (
              <ItemFacts
                key={chosen}
                of={chosen}
                plan={plan}
                phases={phases}
                execution={execution}
                bead={bead}
                refusal={refusal}
                onChoose={choose}
              />
            )}
            <section className={css['text']} aria-labelledby="plan-text">
              <h2 id="plan-text">The plan</h2>
              {plan.planMarkdown.trim() === '' ? (
                <p className={css['muted']}>It has no text.</p>
              ) : (
                <ErrorBoundary key={plan.version} what="The plan’s text">
                  <LateMarkdown text={plan.planMarkdown} />
                </ErrorBoundary>
              )}
            </section>
          </div>
        </div>
      )}
    </div>
  )
}
