import { agentTitles } from '@beadloom/core/agents/agent-names.ts'
import {
  beadloom,
  identityOfName,
  signatureFrom,
  type Identity,
  type Signature,
} from '@beadloom/core/records/identity.ts'
import type { LiveExecution } from './live-execution.ts'

/** The access token's name: it stands for anybody who has it, mostly the user of the server. */
const TOKEN = 'token'

/** The author of an execution's commits: the project's, else the person who ran it, or the user of the server. */
export async function signatureOf({ id, settings, deps: { store, hub } }: LiveExecution): Promise<Signature> {
  const began = store.startOfExecution(id)
  const ran = began === undefined || began.by === TOKEN ? null : identityOfName(began.by)
  return signatureFrom(settings, ran ?? (await hub.person()))
}

/** The agent's name in commits, beside the person; null: the commits are Beadloom's own. */
export const coAuthorOf = ({ settings: { agent } }: LiveExecution, { author }: Signature): Identity | null =>
  author.email === beadloom.email ? null : { name: `${agentTitles[agent]} (Beadloom)`, email: beadloom.email }
