import { createContext, type ReactNode, useContext } from "react";
import type { User } from "./user.ts";

export interface Auth {
  /** Who is signed in, or null. */
  user: User | null;
}

const AuthContext = createContext<Auth | undefined>(undefined);

export function AuthProvider({ user, children }: { user: User | null; children: ReactNode }) {
  return <AuthContext.Provider value={{ user }}>{children}</AuthContext.Provider>;
}

/**
 * Who is signed in, for any component below the provider.
 * @throws {Error} outside of it (spec section 8)
 */
export function useAuth(): Auth {
  const auth = useContext(AuthContext);
  if (!auth) throw new Error("useAuth must be used within an AuthProvider");
  return auth;
}
