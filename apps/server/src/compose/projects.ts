import { createTracker } from '../beads/find-tracker.ts'
import { Budget } from '../budget/budget.ts'
import type { ExtraSlots } from '../execution/extra-slots.ts'
import { ProjectEnvironments } from '../sandbox/project-environment.ts'
import { Projects } from '../app/projects/projects.ts'
import { hubProject, settingsOf } from '../app/stored/stored-settings.ts'
import { secretVariables } from '../forge/secret-variables.ts'
import { Proofs } from '../workflow/proofs/proofs.ts'
import { secretFile } from '../process/secret-file.ts'
import { keyVariables } from '../process/settings/model-settings.ts'
import type { ProjectId } from '@beadloom/core/records/ids.ts'
import type { Parts } from './parts.ts'
import type { Address, Place } from './place.ts'

/** `over`: a project's proof is over. It is called later, when the scheduling is there. */
type Around = { extraSlots: ExtraSlots; nudge: () => void; over: (project: ProjectId) => void }

/** The projects, with what each of them works on: environments, proofs, secrets, budgets. */
export async function composeProjects(
  { settings, env, log, clock, random }: Place,
  { patient: store, engines, hub, gateway, egress, aside, recording }: Parts,
  address: Address,
  { extraSlots, nudge, over }: Around,
) {
  const environments = new ProjectEnvironments({ engines, hub, store, clock })
  const secrets = secretFile(settings.data)
  const proofs = new Proofs({
    secrets,
    store,
    engines,
    hub,
    egress,
    aside,
    recorder: recording.apart.recorder,
    removeLogs: recording.apart.remove,
    environments,
    projects: { settings: settingsOf, hub: hubProject },
    extraSlots,
    clock,
    log,
    random,
    changed: nudge,
    over,
  })
  await recording.apart.keepOnly(store.projects().flatMap(({ id }) => store.proofs(id).map((proof) => proof.id)))
  const link = (project: string, bead: string) =>
    address.url === null ? null : `${address.url}/p/${project}/b/${bead}`
  const budget = new Budget({ store, clock, server: settings.budget, currency: settings.models.currency })
  const { data, trustedTrackers: trusted, model: defaultModel } = settings
  const secretsOf = secretVariables({ data, env }, keyVariables(settings.models))
  const tracker = createTracker({ clock, env, own: data, trusted, secrets: secretsOf, issues: aside.issues })
  const projects = new Projects({
    store,
    hub,
    aside,
    gateway,
    tracker,
    clock,
    log,
    defaultModel,
    base: proofs,
    budget,
    link,
  })
  return { environments, secrets, proofs, budget, projects, link }
}
