import { useStore } from 'zustand'
import { Dialog } from '../dialog.tsx'
import css from './key-sheet.module.css'
import { keyText } from './key-text.ts'
import { keyStore, matchKeys, setKeysOff } from './keys.ts'
import type { KeyBinding, KeyScope } from './keys.ts'

/** Every key that works now, from the table that installs them. */
export function KeySheet({ onClose }: { onClose: () => void }) {
  const { scopes, off } = useStore(keyStore)
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose} wide>
      <div className={css['sheet']}>
        {scopes
          .toSorted((a, b) => Number(a.name === 'Everywhere') - Number(b.name === 'Everywhere'))
          .map((scope) => ({ ...scope, bindings: scope.bindings.filter((one) => isInForce(scopes, one)) }))
          .filter(({ bindings }) => bindings.length > 0)
          .map((scope) => (
            <section key={scope.name} aria-label={scope.name}>
              <h3>{scope.name}</h3>
              <dl>
                {scope.bindings.map((binding) => (
                  <div key={binding.keys.join()}>
                    <dt>
                      {binding.keys.map((keys) => (
                        <kbd key={keys}>{keyText(keys)}</kbd>
                      ))}
                    </dt>
                    <dd>{binding.does}</dd>
                  </div>
                ))}
              </dl>
            </section>
          ))}
      </div>
      <label className={css['off']}>
        <input type="checkbox" checked={off} onChange={(event) => setKeysOff(event.target.checked)} />
        Disable single-key shortcuts
      </label>
    </Dialog>
  )
}

/** If an inner scope takes the same key, only the inner meaning counts. */
const isInForce = (scopes: readonly KeyScope[], binding: KeyBinding): boolean =>
  binding.keys.some((keys) => matchKeys(scopes, keys.split(' ')) === binding)
