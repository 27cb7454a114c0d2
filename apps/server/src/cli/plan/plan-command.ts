import { Option, type Command } from 'commander'
import type { BeadView } from '@beadloom/core/api/beads/bead-api.ts'
import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import type { PhaseView } from '@beadloom/core/api/plans/phase-api.ts'
import type { PlanView } from '@beadloom/core/api/plans/plan-api.ts'
import { segment, type ApiClient } from '../api-client.ts'
import { chooseExecution, chooseProjectOf } from '../choose.ts'
import { projectOption, type CommandContext } from '../context.ts'
import { CliError, Refused, clientExits, exitCode } from '../exit-code.ts'
import { print } from '../terminal/output.ts'
import { editPlan } from './plan-edit.ts'
import { planIn, textOf } from './plan-file.ts'
import { planText, waitText } from './plan-text.ts'

/** `plan`. After `--new` the work follows, if the project's settings say so. */
export function addPlanCommand(program: Command, context: CommandContext): void {
  context
    .command(program, {
      usage: 'plan <bead>',
      description: 'show, make, store or approve the plan of a bead that is too big for one session',
      more: 'A plan has subtasks, each with the files it touches and what it depends on; phases follow from that. Every change is a new version, and a version never changes.\nA file for --from is one JSON document {"goal", "planMarkdown", "subtasks": [{"id", "title", "description", "type": "test", "impl" or "refactor", "dependsOn", "filesTouched"}]}, or what --json has printed: then it is refused if the plan was changed meanwhile.',
      arguments: { bead: 'bead id' },
      examples: [
        'beadloom plan bl-4f2',
        'beadloom plan bl-4f2 --json > plan.json',
        'beadloom plan bl-4f2 --from plan.json',
        'beadloom plan bl-4f2 --edit',
        'beadloom plan bl-4f2 --approve',
        'beadloom plan bl-4f2 --new',
        'beadloom plan bl-4f2 --pause',
        'beadloom plan bl-4f2 --continue',
      ],
      exits: [...clientExits],
    })
    .addOption(projectOption())
    .option('--from <file>', 'store the plan in this file as a new version ("-": standard input)')
    .option('--edit', 'edit the newest version in $VISUAL or $EDITOR, and store it as a new one')
    .addOption(new Option('--plan-version <n>', 'show this version (default: the newest)').argParser(wholeNumber))
    .option('--new', 'have an architect plan it, even if it has a plan')
    .option('--approve', 'approve the newest version, or the one that --from stores')
    .option('--pause', 'pause the work after the running phase')
    .option('--continue', 'let work that waits between two phases continue')
    .action(
      context.run(async ({ api, json, args, options }) => {
        refuseBesideNew(options)
        const bead = String(args[0])
        const how = (id: string) => `beadloom plan ${bead} --project ${id}`
        const project = await chooseProjectOf(api, bead, { named: options['project'], cwd: context.cwd, how })
        const path = `/api/projects/${segment(project)}/beads/${segment(bead)}/plan`
        const { from, approve, planVersion } = options
        if (options['new'] === true) {
          const executions = `/api/projects/${segment(project)}/beads/${segment(bead)}/executions`
          const queued = await api.send<ExecutionView>('POST', executions, { kind: 'plan' })
          return print(
            context.terminal,
            json,
            queued,
            () => `Queued ${queued.id}. Follow it: beadloom logs -f ${queued.id}`,
          )
        }
        if (options['pause'] === true || options['continue'] === true) {
          const id = await chooseExecution(api, bead, { named: project, cwd: context.cwd, how })
          const [act, body] =
            options['pause'] === true ? (['pause', { at: 'phase' }] as const) : (['resume', undefined] as const)
          const execution = await api.send<ExecutionView>('POST', `/api/executions/${segment(id)}/${act}`, body)
          return print(context.terminal, json, execution, () => waitText(execution))
        }
        let view: PlanView | null = null
        if (options['edit'] === true) {
          const known = await api.get<PlanView>(path).catch((error: unknown) => {
            if (error instanceof Refused && error.code === 'no_plan') return null
            throw error
          })
          view = await editPlan({
            bead,
            view: known,
            env: context.env,
            store: (plan, onto) => api.send<PlanView>('PUT', `${path}?onto=${onto}`, plan),
          })
          if (view === null && approve !== true) {
            context.terminal.note('Nothing was changed.')
            if (known === null) return
          }
        } else if (typeof from === 'string') {
          const { plan, onto } = planIn(await textOf(from), from)
          view = await api.send<PlanView>('PUT', onto === null ? path : `${path}?onto=${onto}`, plan)
        }
        if (approve === true)
          view = await api.send<PlanView>('POST', `${path}/approve`, view === null ? {} : { version: view.version })
        view ??= await api.get<PlanView>(planVersion === undefined ? path : `${path}?version=${String(planVersion)}`)
        const shown = view
        const phases = json ? [] : await phasesOf(api, project, shown)
        print(context.terminal, json, shown, () => planText(shown, phases))
      }),
    )
}

/** The phases of the newest execution that works, or has worked, by this version. */
async function phasesOf(api: ApiClient, project: string, { bead, version }: PlanView): Promise<PhaseView[]> {
  const { executions } = await api.get<BeadView>(`/api/projects/${segment(project)}/beads/${segment(bead)}`)
  const last = executions.find(({ planVersion }) => planVersion === version)
  if (!last) return []
  return (await api.get<{ items: PhaseView[] }>(`/api/executions/${segment(last.id)}/phases`)).items
}

function refuseBesideNew(options: Record<string, unknown>): void {
  if (options['new'] !== true) return
  const other = ['from', 'edit', 'approve'].find((name) => options[name] !== undefined)
  if (other === undefined) return
  throw new CliError(`--new and --${other} cannot be combined: an architect makes the new plan.`, exitCode.usage)
}

function wholeNumber(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  throw new CliError(`--plan-version ${text}: a version is a number from 1`, exitCode.usage)
}
