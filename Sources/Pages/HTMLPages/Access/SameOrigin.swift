package import HTTPSurface
package import HTTPTypes
import Hummingbird

/// Whether a form may have been sent by a page of this server.
package enum SameOrigin {
    /// Browsers say themselves where a request comes from. Another port of the same host is
    /// another site's: two stores on one machine share their cookies, but not their forms. Where
    /// a browser says nothing, as over plain HTTP to a name of the local network, the origin has
    /// to be this host. Where it says neither, a request that carries a session is refused.
    ///
    /// - Parameters:
    ///   - fields: the header of the request.
    ///   - authority: the host and port that the request names.
    ///   - hasSession: whether it shows a cookie of ours.
    package static func holds(
        _ fields: HTTPFields, authority: String?, hasSession: Bool
    ) -> Bool {
        if let site = HTTPField.Name("Sec-Fetch-Site").flatMap({ fields[$0] }) {
            return site == "same-origin" || site == "none"
        }
        guard let origin = fields[.origin] else { return !hasSession }
        let parts = origin.split(separator: "/", omittingEmptySubsequences: false)
        guard let authority, parts.count == 3, parts[1].isEmpty else { return false }
        return parts[2] == authority
    }

    /// Refuses a form that no page of this server sent.
    ///
    /// - Parameter message: what pages say that show the message of an error.
    package static func require<Site>(
        _ call: Call<Site>,
        saying message: String = "No page of this server sent this. Open the page again."
    ) throws(ErrorBody) {
        let request = call.request
        guard holds(request.headers, authority: request.head.authority, hasSession: true) else {
            throw ErrorBody(.forbidden, "otherOrigin", message)
        }
    }
}
