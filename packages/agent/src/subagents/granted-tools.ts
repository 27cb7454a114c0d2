import { grantableTools, type AgentDefinition } from '@beadloom/core/agents/named/agent-definition.ts'
import { ToolRefusal, type Tool } from '../tools/tool.ts'

/**
 * The tools of a sub-agent: those that its parent has, its definition names, and the call asks for. Never the tool to
 * spawn others. Throws a `ToolRefusal` that its parent can act on.
 */
export function grantedTools(
  parent: readonly Tool[],
  { name, tools: own }: Pick<AgentDefinition, 'name' | 'tools'>,
  asked: readonly string[] | undefined,
): Tool[] {
  const grantable: readonly string[] = grantableTools
  const has = parent.filter(
    (tool) => grantable.includes(tool.name) && (own === null || own.some((one) => one === tool.name)),
  )
  const names = has.map((tool) => tool.name)
  if (has.length === 0) throw new ToolRefusal(`${name} can have none of your tools`)
  if (asked === undefined) return has
  const unknown = asked.filter((one) => !names.includes(one))
  if (unknown.length > 0)
    throw new ToolRefusal(`${name} cannot have ${unknown.slice(0, 10).join(', ')}; it can have ${names.join(', ')}`)
  if (asked.length === 0) throw new ToolRefusal(`"tools" is empty; ${name} can have ${names.join(', ')}`)
  return has.filter((tool) => asked.includes(tool.name))
}
