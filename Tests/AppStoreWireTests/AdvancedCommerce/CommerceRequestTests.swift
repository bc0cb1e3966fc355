import AppStoreWire
import Testing

@Suite("Requests of Advanced Commerce")
struct CommerceRequestTests {
    @Test(
        "The smallest request is accepted and written as it came",
        arguments: CommerceRequest.allCases)
    func smallest(request: CommerceRequest) throws {
        let json = try JSONValue(parsing: Array(request.smallest.utf8))
        #expect(try request.read(json) == request.smallest)
    }

    @Test("A request with every member is written as it came", arguments: CommerceRequest.full)
    func full(request: CommerceRequest, text: String) throws {
        #expect(try request.read(JSONValue(parsing: Array(text.utf8))) == text)
    }

    @Test(
        "What is wrong is refused with its number",
        arguments: CommerceCase.members + CommerceCase.together)
    func refused(wrong: CommerceCase) throws {
        let json = try wrong.json()
        let error = #expect(throws: APIError.self) { try wrong.request.read(json) }
        #expect(error?.code == wrong.code)
        #expect(error.map { APIError.AdvancedCommerce.all[$0.code]?.name == $0.name } == true)
    }

    @Test("What is at its limit is accepted", arguments: CommerceCase.atLimit)
    func accepted(case: CommerceCase) throws {
        _ = try `case`.request.read(`case`.json())
    }

    @Test("A request that is no object is malformed", arguments: CommerceRequest.allCases)
    func noObject(request: CommerceRequest) throws {
        for json in [JSONValue.array([]), .null, .string("{}")] {
            #expect(throws: APIError.AdvancedCommerce.malformedPayload) { try request.read(json) }
        }
    }

    @Test("What is wrong deep inside is told with its place")
    func place() throws {
        let json = try CommerceCase(0, .create, #"items.0.price="9.99""#).json()
        let wrongType = #expect(throws: APIError.self) { try CommerceRequest.create.read(json) }
        #expect(wrongType?.message.contains("`items[0].price`") == true)
        let negative = try CommerceCase(0, .create, "items.0.price=-1").json()
        let error = #expect(throws: APIError.self) { try CommerceRequest.create.read(negative) }
        #expect(error?.message.hasPrefix("In `items[0]`: `price` is negative") == true)
    }

    @Test("UUIDs are read in any case and kept in lower case")
    func upperCase() throws {
        let json = try CommerceCase(
            0, .cancel,
            #"requestInfo.requestReferenceId="7C80BB86-F892-4B21-A919-1357811D6C4F""#,
            #"requestInfo.appAccountToken="3152947D-8F63-41C2-9A91-E92E45F145E9""#
        ).json()
        let info = try AdvancedCommerceSubscriptionCancelRequest(json).requestInfo
        #expect(info.requestReferenceId == "7c80bb86-f892-4b21-a919-1357811d6c4f")
        #expect(info.appAccountToken == "3152947d-8f63-41c2-9a91-e92e45f145e9")
        #expect(
            AdvancedCommerceRequestInfo(
                requestReferenceId: "7C80BB86-F892-4B21-A919-1357811D6C4F"
            ).requestReferenceId
                == "7c80bb86-f892-4b21-a919-1357811d6c4f")
    }

    @Test("An in-app request is the one that its operation names")
    func operations() throws {
        let inApp: [CommerceRequest] = [.oneTimeCharge, .create, .modify, .reactivate]
        let operations = try inApp.map { request in
            let json = try JSONValue(parsing: Array(request.smallest.utf8))
            let read = try AdvancedCommerceInAppRequest(json)
            #expect(
                read.requestInfo.requestReferenceId == "7c80bb86-f892-4b21-a919-1357811d6c4f")
            return read.operation
        }
        #expect(
            operations == [
                "CREATE_ONE_TIME_CHARGE", "CREATE_SUBSCRIPTION", "MODIFY_SUBSCRIPTION",
                "REACTIVATE_SUBSCRIPTION",
            ])
        // Each alone refuses another's.
        let create = try JSONValue(parsing: Array(CommerceRequest.create.smallest.utf8))
        #expect(throws: APIError.AdvancedCommerce.invalidOperation) {
            try AdvancedCommerceSubscriptionModifyInAppRequest(create)
        }
    }

    @Test("Members that nobody knows are passed over, and null is absent")
    func tolerance() throws {
        let json = try CommerceCase(
            0, .create, "storefront=null", "items.0.offer=null", "later=[1]",
            #"items.0.colour="red""#
        ).json()
        #expect(try CommerceRequest.create.read(json) == CommerceRequest.create.smallest)
    }
}
