/** Who is here. */
export interface Me {
  readonly user: {
    readonly email: string
    readonly name: string
    readonly role: 'admin' | 'manager' | 'member'
  } | null
  readonly hasInbox: boolean
}

export async function loadMe(): Promise<Me> {
  const answer = await fetch('/api/me')
  if (!answer.ok) throw new Error(await answer.text())
  return (await answer.json()) as Me
}
