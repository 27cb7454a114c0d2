import type { BeadView } from '@beadloom/core/api/beads/bead-api.ts'
import { priorityText } from '@beadloom/core/bead/priority-words.ts'
import { shown } from '../../../ui/text/hostile-text.ts'

export const fieldWords: Record<NonNullable<BeadView['edits']>[number]['field'], string> = {
  title: 'title',
  description: 'description',
  acceptance: 'acceptance criteria',
  type: 'type',
  priority: 'priority',
  labels: 'labels',
  dependencies: 'dependencies',
  status: 'status',
}

/** Shown until the fields are loaded. */
export const PlainFacts = ({ bead }: { bead: BeadView }) => (
  <>
    {[
      ['Priority', priorityText(bead.priority)],
      ['Type', bead.type],
      ['Labels', bead.labels.join(', ')],
    ].map(([name = '', value = '']) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{shown(value)}</dd>
      </div>
    ))}
  </>
)
