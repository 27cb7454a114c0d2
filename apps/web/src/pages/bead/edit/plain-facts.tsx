import type { BeadView } from '@beadloom/core/api/api.ts'
import { shown } from '../../../ui/hostile-text.ts'

export const priorities = ['critical', 'high', 'normal', 'low', 'someday']

export const fieldWords: Record<NonNullable<BeadView['edits']>[number]['field'], string> = {
  title: 'title',
  description: 'description',
  acceptance: 'acceptance criteria',
  type: 'type',
  priority: 'priority',
  labels: 'labels',
  dependencies: 'dependencies',
}

/** What the fields show, until they are loaded. */
export const PlainFacts = ({ bead }: { bead: BeadView }) => (
  <>
    {[
      ['Priority', `P${bead.priority} ${priorities[bead.priority] ?? ''}`],
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
