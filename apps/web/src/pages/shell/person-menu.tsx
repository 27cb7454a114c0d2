import { useQuery } from '@tanstack/react-query'
import type { MeView } from '@beadloom/core/api/people/people-api.ts'
import { LogOut, UserRound } from 'lucide-react'
import { useEffect } from 'react'
import { getMe, refusalsOf, roleAt } from '../../api/me.ts'
import { signOut as leave } from '../../api/sign-ins.ts'
import { setRefusals } from '../../ui/allowed.ts'
import { shown } from '../../ui/text/hostile-text.ts'
import { Menu, MenuFact, MenuItem, MenuLine } from '../../ui/menu.tsx'
import { toastError } from '../../ui/toast.tsx'
import css from './top-bar.module.css'

/** The person who is signed in, their role, and signing out. Nothing if there is only the access token. */
export function PersonMenu({ project }: { project: string | null }) {
  const { data: me } = useQuery({ queryKey: ['me'], queryFn: ({ signal }) => getMe(signal), staleTime: Infinity })
  useEffect(() => {
    if (me) setRefusals(refusalsOf(me, project))
  }, [me, project])
  if (!me?.people) return null
  const { name, by, signOut } = me
  const role = roleAt(me, project) ?? 'no role'
  return (
    <Menu
      label="You"
      trigger={
        <button type="button" className={css['chip']} aria-label={`Signed in as ${shown(name)}, ${role}`}>
          <UserRound size={16} strokeWidth={1.5} aria-hidden />
          <span className={css['person']}>{shown(name)}</span>
        </button>
      }
    >
      <MenuFact className={css['me']}>
        <strong>{shown(name)}</strong>
        <span>
          {role} · {ways[by]}
        </span>
      </MenuFact>
      {signOut !== null && (
        <>
          <MenuLine />
          <MenuItem onSelect={() => void leave().catch(toastError)}>
            <LogOut size={16} strokeWidth={1.5} aria-hidden /> Sign out
          </MenuItem>
        </>
      )}
    </Menu>
  )
}

const ways: Record<MeView['by'], string> = {
  token: 'with the access token',
  header: 'by the proxy in front',
  oidc: 'by single sign-on',
}
