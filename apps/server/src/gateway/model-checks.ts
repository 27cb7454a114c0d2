import { openFor, type OpenedTools } from '@beadloom/core/gateway/hosted-tools.ts'
import { clockTime } from '@beadloom/core/text/clock-time.ts'
import type { Gateway, ModelCheck } from '../ports/gateway.ts'
import type { Cooldown } from '../ports/store/cooldowns.ts'
import type { ModelRouting } from './model-routing.ts'
import { loadScenario } from './scripted/scenario.ts'
import { SCRIPTED, SCRIPTED_NOTE } from './scripted/scripted.ts'
import type { ScriptedDeps } from './scripted/scripted-turn.ts'
import type { Cooldowns } from './upstream/cooldown.ts'

/** Answers whether a model can be used now, without calling it. */
export function modelChecks(
  routing: ModelRouting,
  cooldowns: Cooldowns,
  { scenariosFolder, clock, hostedTools }: ScriptedDeps & { hostedTools: OpenedTools },
): Pick<Gateway, 'check' | 'nameOf' | 'cooldown'> {
  const isScripted = (model: string | null) => routing.defaultOf(model) === SCRIPTED
  const cooldownOf = (model: string | null) => (isScripted(model) ? null : routing.cooldown(model, cooldowns))
  return {
    check: async (model, scenario, api = null, project = null) => {
      if (isScripted(model)) return await checkScripted(scenariosFolder, scenario)
      const open = project === null ? [] : openFor(hostedTools, project)
      const check = { ...routing.check(api, model, open), note: null }
      const cooldown = cooldownOf(model)
      return cooldown ? { ...check, text: cooldownText(cooldown, clock.now()) } : check
    },
    nameOf: (model) => (isScripted(model) ? SCRIPTED : routing.check('chat', model).name),
    cooldown: cooldownOf,
  }
}

const cooldownText = ({ model, until }: Cooldown, now: number): string =>
  `${model} asks to wait until ${clockTime(until, now)} (too many requests)`

async function checkScripted(folder: string, scenario: string | null): Promise<ModelCheck> {
  const no = (text: string): ModelCheck => ({ ok: false, name: SCRIPTED, text, note: SCRIPTED_NOTE })
  if (!scenario) return no('the scripted model needs a scenario: set "scenario" in beadloom.json')
  const loaded = await loadScenario(folder, scenario)
  if ('problem' in loaded) return no(loaded.problem)
  return { ok: true, name: SCRIPTED, text: `scenario "${scenario}": ${SCRIPTED_NOTE}`, note: SCRIPTED_NOTE }
}
