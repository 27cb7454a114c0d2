import { CircleCheck, CircleDashed } from 'lucide-react'
import type { ServerSettingsView } from '@beadloom/core/api/settings/settings-api.ts'
import css from './settings-page.module.css'
import { shown } from '../../ui/text/hostile-text.ts'

/** Which secrets are set, never their values. The server gets them where it is started. */
export function SecretsSection({ secrets }: Pick<ServerSettingsView, 'secrets'>) {
  return (
    <section id="secrets" className={css['section']} aria-labelledby="secrets-title">
      <h2 id="secrets-title">Secrets</h2>
      <ul className={css['card']}>
        {secrets.map(({ name, set, where, about }) => (
          <li key={name} className={css['entry']}>
            <span className={set ? css['ok'] : css['muted']}>
              {set ? (
                <CircleCheck size={16} strokeWidth={1.5} aria-hidden />
              ) : (
                <CircleDashed size={16} strokeWidth={1.5} aria-hidden />
              )}{' '}
              {set ? 'set' : 'not set'}
            </span>
            <span className={css['what']}>
              <code>{name}</code> {shown(about.replace(/\.$/, ''))}
              <span className={css['muted']}>, from {where}</span>
            </span>
          </li>
        ))}
        <li className={css['entry']}>
          <span className={css['muted']}>forges</span>
          <span className={css['what']}>
            Tokens for pull requests: <code>npx beadloom forge list</code>, <code>npx beadloom forge add HOST</code>
          </span>
        </li>
      </ul>
    </section>
  )
}
