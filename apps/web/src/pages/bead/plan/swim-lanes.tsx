import type { BeadView } from '@beadloom/core/api/beads/bead-api.ts'
import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import type { PhaseView } from '@beadloom/core/api/plans/phase-api.ts'
import { Link } from '@tanstack/react-router'
import { useRef } from 'react'
import { roleWords, statusMarks, stepMark } from './plan-marks.ts'
import { phaseOfKey } from './plan-rows.ts'
import { swimLanes, ticksOf, type Chart, type LaneBar } from './swim-lanes.ts'
import css from './swim-lanes.module.css'
import tones from '../../../components/bead/tones.module.css'
import { useServerNow } from '../../../feed/feed-context.tsx'
import { shown } from '../../../ui/text/hostile-text.ts'
import { elapsedText } from '../../../ui/text/time-text.ts'
import { useWidth } from '../../../ui/use-media.ts'

type Props = {
  phases: PhaseView[]
  execution: ExecutionView | null
  bead: BeadView
  /** The key of the row selected in the tree. */
  chosen: string | null
}

/**
 * A chart of when each subtask was at work. The tree says the same row by row, so screen readers and the keyboard skip
 * the chart.
 */
export function SwimLanes({ phases, execution, bead, chosen }: Props) {
  const now = useServerNow()
  const chart = swimLanes(phases, execution, now)
  if (chart === null) return null
  return (
    <section className={css['lanes']} aria-labelledby="plan-lanes">
      <h2 id="plan-lanes">Timeline</h2>
      <p className="visually-hidden">The tree above says the same, row by row.</p>
      <Lanes chart={chart} lit={chosen === null ? null : phaseOfKey(phases, chosen)} bead={bead} />
    </section>
  )
}

function Lanes({ chart, lit, bead }: { chart: Chart; lit: PhaseView | null; bead: BeadView }) {
  const axis = useRef<HTMLDivElement>(null)
  const ticks = ticksOf(chart, useWidth(axis))
  return (
    <div className={css['chart']} aria-hidden>
      <div ref={axis} className={css['axis']}>
        {ticks.map(
          ({ at, text, labelled }) =>
            labelled && (
              <span key={at} style={{ insetInlineStart: `${placeOf(chart, chart.from + at)}%` }}>
                {text}
              </span>
            ),
        )}
      </div>
      {chart.groups.map(({ phase, lanes }) => (
        <div key={phase.number} className={css['phase']} data-lit={phase === lit || undefined}>
          <p className={`${css['name']} ${tones[statusMarks[phase.status].tone]}`}>Phase {phase.number}</p>
          {lanes.map((lane) => (
            <div key={lane.id} className={css['lane']}>
              <span className={css['label']} title={shown(lane.title)}>
                {shown(lane.title)}
              </span>
              <div className={css['track']}>
                {ticks.map(({ at }) => (
                  <i key={at} style={{ insetInlineStart: `${placeOf(chart, chart.from + at)}%` }} />
                ))}
                {lane.bars.map((bar) => (
                  <Bar key={bar.item.id} bar={bar} phase={phase} chart={chart} title={lane.title} bead={bead} />
                ))}
              </div>
            </div>
          ))}
        </div>
      ))}
    </div>
  )
}

const placeOf = ({ from, to }: Chart, at: number): number => ((at - from) / (to - from)) * 100

function Bar({
  bar,
  phase,
  chart,
  title,
  bead,
}: {
  bar: LaneBar
  phase: PhaseView
  chart: Chart
  title: string
  bead: BeadView
}) {
  const { from, to, item, superseded } = bar
  const mark = stepMark(phase, item)
  const live = item.session.state !== 'ended'
  const took = elapsedText(to - from)
  const what = item.role === 'subtask' ? title : roleWords[item.role]
  const again = item.phaseAttempt > 1 ? `, attempt ${item.phaseAttempt}` : ''
  return (
    <Link
      to="/p/$project/b/$bead"
      params={{ project: bead.project, bead: bead.id }}
      search={{ tab: 'output', session: item.id }}
      tabIndex={-1}
      className={`${css['bar']} ${tones[item.role === 'review' && mark.tone === 'completed' ? 'review' : mark.tone]}`}
      data-role={item.role}
      data-live={live || undefined}
      data-superseded={superseded || undefined}
      style={{
        insetInlineStart: `${placeOf(chart, from)}%`,
        inlineSize: `${placeOf(chart, to) - placeOf(chart, from)}%`,
      }}
      title={`${shown(what)}${again}: ${mark.word.toLowerCase()}, ${took}`}
    >
      <span>{item.role === 'subtask' ? took : roleWords[item.role]}</span>
    </Link>
  )
}
