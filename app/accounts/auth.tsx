import { createContext, type ReactNode, useContext } from "react";
import type { User } from "./user.ts";

export interface Auth {
  user: User | null;
}

const AuthContext = createContext<Auth | undefined>(undefined);

export function AuthProvider({ user, children }: { user: User | null; children: ReactNode }) {
  return <AuthContext.Provider value={{ user }}>{children}</AuthContext.Provider>;
}

/**
 * The signed-in user.
 * @throws {Error} outside an AuthProvider (spec section 8)
 */
export function useAuth(): Auth {
  const auth = useContext(AuthContext);
  if (!auth) throw new Error("useAuth must be used within an AuthProvider");
  return auth;
}
