import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import { refusedTests, type RefusedFor } from '@beadloom/core/execution/allowed.ts'
import { ShieldAlert } from 'lucide-react'
import { useState } from 'react'
import banner from './end-banner.module.css'
import css from './refused-tests.module.css'
import { allowTests, pressKey } from '../../../api/endpoints.ts'
import tones from '../../../components/bead/tones.module.css'
import { Button } from '../../../ui/button.tsx'
import form from '../../../ui/form.module.css'
import { shown } from '../../../ui/text/hostile-text.ts'
import { toast, toastError } from '../../../ui/toast.tsx'
import { useSending } from '../../../ui/use-sending.ts'

const NAME = 'beadloom.name'

const words: Record<RefusedFor, { says: string; button: string }> = {
  weaker: {
    says: 'Refused because its tests are weaker than on the work branch. Look at the diff; if that is right, allow it.',
    button: 'Allow these changes',
  },
  unchecked: {
    says: 'Not checked: the tests of the changed code could not run on the base. Read the diff; if it is right, take it as it is.',
    button: 'Take it unchecked',
  },
  secrets: {
    says: 'Refused because it adds what looks like a secret. Nothing was published. Look at the diff; if it is not a secret, allow it. Replace a real one where it was issued.',
    button: 'Allow: not a secret',
  },
  elsewhere: {
    says: 'Refused because it changes files that CI runs with its secrets, which the bead does not ask for. Nothing was published. Read the diff of these files; if it is right, allow it.',
    button: 'Allow these files',
  },
}

/** Shows a refusal that a person may lift: weaker tests, untested code, a secret, or files that run elsewhere. */
export function RefusedTests({ execution }: { execution: ExecutionView }) {
  const [why, setWhy] = useState('')
  const [by, setBy] = useState(rememberedName)
  const { busy, send } = useSending(toastError)
  const refused = refusedTests(execution.verifications)
  if (refused === null || execution.state === 'COMPLETED') return null
  const allow = () =>
    send(async () => {
      rememberName(by)
      await allowTests(execution.id, { ...(why && { why }), ...(by && { by }) }, pressKey())
      toast('Allowed; the work is checked again')
    })
  return (
    <div className={`${banner['banner']} ${tones['blocked']}`} role="note">
      <ShieldAlert size={16} strokeWidth={1.75} aria-hidden />
      <div>
        <p>{words[refused.because].says}</p>
        <ul className={css['findings']}>
          {refused.findings.map((finding) => (
            <li key={finding}>{shown(finding)}</li>
          ))}
        </ul>
        <form
          className={`${form['form']} ${css['allow']}`}
          data-unsaved={why !== '' || undefined}
          onSubmit={(event) => {
            event.preventDefault()
            void allow()
          }}
        >
          <label>
            Why
            <input value={why} maxLength={2000} onChange={(event) => setWhy(event.target.value)} />
          </label>
          <label>
            Your name
            <input value={by} maxLength={100} autoComplete="name" onChange={(event) => setBy(event.target.value)} />
          </label>
          <Button needs="runner" type="submit" busy={busy}>
            {words[refused.because].button}
          </Button>
        </form>
      </div>
    </div>
  )
}

function rememberedName(): string {
  try {
    return localStorage.getItem(NAME) ?? ''
  } catch {
    return ''
  }
}

function rememberName(name: string): void {
  try {
    localStorage.setItem(NAME, name)
  } catch {
    // Without storage, the text must be typed again.
  }
}
