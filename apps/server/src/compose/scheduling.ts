import type { ExtraSlots } from '../execution/extra-slots.ts'
import type { Wake } from '../scheduler/wake.ts'
import type { Projects } from '../app/projects/projects.ts'
import { createScheduler } from '../app/scheduling/dispatch.ts'
import { ClaimGate } from '../app/scheduling/claim-gate.ts'
import { LiveIndex } from '../app/scheduling/live-index.ts'
import { NewestSettings } from '../app/scheduling/newest-settings.ts'
import { ScheduleMemory } from '../app/scheduling/schedule-memory.ts'
import type { SlotPlaces } from '../app/scheduling/slot-places.ts'
import { ServerFacts } from '../app/engines/server-facts.ts'
import type { Executions } from '../workflow/executions.ts'
import type { Proofs } from '../workflow/proofs/proofs.ts'
import type { Parts } from './parts.ts'
import type { Place } from './place.ts'

type Around = {
  projects: Projects
  proofs: Proofs
  executions: Executions
  places: SlotPlaces
  extraSlots: ExtraSlots
  wake: Wake
  statusChanged: () => void
}

/** The scheduler, and everything that it knows. */
export function composeScheduling(
  { settings, log, clock, random }: Place,
  { store: itself, patient: store, engines, gateway }: Parts,
  { projects, proofs, executions, places, extraSlots, wake, statusChanged }: Around,
) {
  const { data, model, people } = settings
  const index = new LiveIndex(itself)
  const schedule = new ScheduleMemory(index, Object.keys(people?.projects ?? {}).length === 0)
  const facts = new ServerFacts({ engines, gateway, store, clock, data, model, changed: statusChanged })
  const claims = new ClaimGate({ store, projects, clock, log, answered: () => wake.nudge() })
  const newest = new NewestSettings({ store, projects, clock, ask: (id) => proofs.ask(id), read: () => wake.nudge() })
  const scheduler = createScheduler({
    store,
    index,
    schedule,
    projects,
    facts,
    executions,
    claims,
    newest,
    proofs,
    clock,
    log,
    places,
    extraSlots,
    random,
    wake,
  })
  return { index, schedule, facts, newest, scheduler }
}
