import { servicesNotice } from '@beadloom/core/environment/service-settings.ts'
import { networkText } from '@beadloom/core/egress/network-words.ts'
import { modulesNotice } from '@beadloom/core/environment/readers/git-parts.ts'
import { redNotice } from '@beadloom/core/environment/base/proof.ts'
import { storedOf, type LiveExecution } from '../execution/live-execution.ts'
import { baseOf } from '../verify/base/base-of.ts'

/**
 * Paragraphs that tell every working agent about its surroundings: services, submodules, checks that fail on the base,
 * the network.
 *
 * @param at the commit that its session starts from; null: not known
 * @param part it does a part of a plan, which others commit and push
 */
export async function surroundings(live: LiveExecution, at: string | null, part: boolean): Promise<string[]> {
  const { settings, deps, project } = live
  const { failing } = await baseOf(live, storedOf(live).baseCommit)
  const { here } = at === null ? { here: [] } : await deps.hub.modules(project.id, at)
  return [
    servicesNotice(settings.services),
    modulesNotice(here.map(({ path }) => path)),
    failing.length > 0 ? redNotice(failing, part) : null,
    networkText(settings),
  ].filter((text) => text !== null)
}
