import type { Execution } from '@beadloom/core/records/execution.ts'
import { chosenFreshStarts } from '@beadloom/core/execution/fresh-starts/fresh-starts.ts'
import type { ProjectSettings } from '@beadloom/core/project/project-config.ts'
import { withAgent } from '../../sandbox/agent-order.ts'

/** A person's choice for this execution alone counts more than the project's settings for the bead. */
export function settingsOfWork(
  settings: ProjectSettings,
  { chosen, bead }: Pick<Execution, 'chosen' | 'bead'>,
): ProjectSettings {
  if (!chosen) return settings
  const { agent, model } = chosen
  const { [bead]: own, ...others } = settings.beads
  return {
    ...(agent ? withAgent(settings, agent) : settings),
    model: model ?? settings.model,
    freshStarts: chosenFreshStarts(settings.freshStarts, chosen),
    beads: agent ? { ...others, ...(own?.command && { [bead]: { command: own.command } }) } : settings.beads,
  }
}
