import { agentTitles } from '@beadloom/core/agents/agent-names.ts'
import {
  beadloom,
  identityOfName,
  signatureFrom,
  type Identity,
  type Signature,
} from '@beadloom/core/project/identity.ts'
import type { LiveExecution } from './live-execution.ts'

/** What is done to an execution is little; who began it comes first. */
const ACTIONS_READ = 100
/** What the access token signs as: whoever has it, which is mostly whoever runs the server. */
const TOKEN = 'token'

/** As whom the commits of an execution are made: as its project says, else as whoever ran it, or runs the server. */
export async function signatureOf({ id, settings, deps: { store, hub } }: LiveExecution): Promise<Signature> {
  const began = store.actionsOnExecution(id, ACTIONS_READ).findLast(({ by }) => by !== TOKEN)
  const ran = began === undefined ? null : identityOfName(began.by)
  return signatureFrom(settings, ran ?? (await hub.person()))
}

/** The agent as it is named in commits, beside the person; null: the commits are Beadloom's own. */
export const coAuthorOf = ({ settings: { agent } }: LiveExecution, { author }: Signature): Identity | null =>
  author.email === beadloom.email ? null : { name: `${agentTitles[agent]} (Beadloom)`, email: beadloom.email }
