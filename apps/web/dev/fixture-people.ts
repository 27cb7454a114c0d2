import type { ActionView } from '@beadloom/core/api/people/people-api.ts'

/** People's actions on a bead: with a name that is as long as one may be, and one whose end nobody knows. */
export const actionsOn = (bead: string): ActionView[] =>
  (['answered', 'bead_changed', 'cancelled', 'queued', 'plan_approved', 'bead_filed'] as const).map(
    (action, index) => ({
      id: 6 - index,
      at: Date.now() - index * 40 * 60_000,
      by: index === 2 ? 'a.name.that.is.as.long.as.names.of.directories.can.be@people.department.example.org' : 'grace',
      via: 'oidc',
      action,
      about: action === 'bead_changed' ? 'title, labels' : '',
      done: index !== 3,
      project: 'demo',
      bead,
      execution: null,
    }),
  )
