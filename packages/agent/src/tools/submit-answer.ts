import type { AnswerForm } from './answer-form.ts'
import { parametersOf, type Tool } from './tool.ts'

/**
 * The tool with which an agent gives its document if the model has no structured output. Its arguments are the
 * document, parsed as strictly as any other. An invalid one is not submitted.
 */
export function submitAnswer(
  { name, schema, parse, tool }: Pick<AnswerForm, 'name' | 'schema' | 'parse' | 'tool'>,
  take: (answer: string) => Promise<void>,
): Tool {
  let submitted = false
  return {
    name: `submit_${name}`,
    description: tool,
    parameters: parametersOf(schema),
    readOnly: false,
    async run(args) {
      const parsed = parse(args)
      if ('wrong' in parsed) return { ok: false, text: `Error: ${parsed.wrong}` }
      if (submitted) return { ok: false, text: `Error: the ${name} was submitted already` }
      submitted = true
      await take(args)
      return { ok: true, text: 'submitted' }
    },
  }
}
