import { setTimeout as delay } from 'node:timers/promises'
import type { Command } from 'commander'
import type { PushView } from '@beadloom/core/api/projects/environment-api.ts'
import { segment } from '../api-client.ts'
import { chooseProject } from '../choose.ts'
import type { CommandContext } from '../context.ts'
import { CliError } from '../exit-code.ts'
import { print, progressOf } from '../terminal/output.ts'
import { plainText } from '../terminal/terminal-text.ts'
import { followPush } from './follow-push.ts'

/** `environment push`: pushes the base's image into a registry. */
export function addEnvironmentPush(environment: Command, context: CommandContext): void {
  context
    .command(environment, {
      usage: 'push [project]',
      description: "push a project's image to a registry, where the nodes of a cluster find it",
      more: 'The image is what beads start from: base, agent, and a checkout in which setup ran. If the Docker of the project’s engine does not have it, it is built first. The server’s Docker pushes it with the sign-in of "docker login" on the server’s machine; no password is stored, sent or copied. Layers that the registry has are not sent again. An image is named after its content, so a cluster with the same registry pushes nothing more. Ctrl-C leaves the push running; asking again shows how far it is, and --stop ends it.',
      arguments: { project: 'project id (default: the project whose folder you are in, or the only one)' },
      examples: [
        'beadloom environment push --registry registry.example/beadloom',
        'beadloom environment push library --json | jq -r .image.reference',
      ],
    })
    .option('--registry <name>', "HOST[:PORT][/PATH] (default: that of the project's engine, if it is a cluster)")
    .option('--stop', 'stop the running push; under its name the registry then has the whole image or nothing')
    .action(
      context.run(async ({ api, json, args, options }) => {
        const how = (id: string) => `beadloom environment push ${id}`
        const id = await chooseProject(api, { named: args[0], cwd: context.cwd, how })
        const path = `/api/projects/${segment(id)}/environment/push`
        if (options['stop'] === true) {
          const stopped = await api.send<PushView>('DELETE', path)
          return print(context.terminal, json, stopped, () => pushedLines(stopped))
        }
        const registry = options['registry'] === undefined ? {} : { registry: String(options['registry']) }
        const tell = progressOf(context.terminal)
        const view = await followPush({
          begin: () => api.send<PushView>('POST', path, registry),
          look: () => api.get<PushView>(path),
          sleep: (ms) => delay(ms),
          tell,
        })
        if (view.state === 'failed') throw new CliError(plainText(view.text))
        print(context.terminal, json, view, () => pushedLines(view))
      }),
    )
}

function pushedLines({ text, image, commit }: PushView): string {
  const at = image?.digest ? [`Digest  ${image.digest}`] : []
  return plainText([text, ...at, ...(commit === null ? [] : [`Commit  ${commit}`])].join('\n'))
}
